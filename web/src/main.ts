// Reads the data of the page and shows what they are: the report of a run, a comparison of runs, modes, or a sweep.
import { showComparison } from "./comparison";
import { readData, readReport } from "./page/data";
import { showModes } from "./modes";
import { showReport } from "./report";
import { showSweep } from "./sweep/sweep";
import { byId } from "./page/text";
import { watchTheme } from "./page/theme";

watchTheme();
const data = readData(byId("data").textContent ?? "") as object;
declare global { interface Window { raak: unknown } }
window.raak = "comparison" in data ? showComparison(data) : "modes" in data ? showModes(data) : "sweep" in data ? showSweep(data) : showReport(readReport(data));
