// The button that changes between light and dark colours.
import { button } from "./text";
import { isDark, onThemeChange, toggleTheme } from "./theme";

const SUN = "M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM11 1h2v3h-2zM11 20h2v3h-2zM1 11h3v2H1zM20 11h3v2h-3zM4.2 2.8l2.1 2.1-1.4 1.4-2.1-2.1zM19.1 17.7l2.1 2.1-1.4 1.4-2.1-2.1zM2.8 19.8l2.1-2.1 1.4 1.4-2.1 2.1zM17.7 4.9l2.1-2.1 1.4 1.4-2.1 2.1z";
const MOON = "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z";

export function themeButton(): HTMLElement {
  const made = button("", SUN);
  const show = () => {
    made.title = isDark() ? "Light colours" : "Dark colours";
    made.setAttribute("aria-label", made.title);
    made.querySelector("path")?.setAttribute("d", isDark() ? SUN : MOON);
  };
  made.onclick = toggleTheme;
  onThemeChange(show);
  show();
  return made;
}

