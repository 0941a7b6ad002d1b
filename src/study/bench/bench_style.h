// The look of the page of a bench, for light and dark screens and for paper.
#pragma once

namespace raak {

inline constexpr const char* bench_style = R"(
:root{--ink:#1b1f24;--faint:#5d6771;--paper:#fff;--panel:#f6f8fa;--grid:#d9dee4;--best:#d6eee5;--bad:#b3400a;--badbg:#fbe3d6;--accent:#0072b2}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--faint:#9aa4af;--paper:#15181c;--panel:#1c2126;--grid:#31373e;--best:#16392f;--bad:#ff9d66;--badbg:#43240f;--accent:#56b4e9}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header{max-width:1480px;margin:0 auto;padding:0 28px}
header{padding-top:30px}
h1{font-size:30px;line-height:1.2;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:22px;margin:0 0 2px}
h3{font-size:15px;margin:26px 0 8px}
p{margin:4px 0 10px;max-width:92ch}
.faint{color:var(--faint)}
.note{background:var(--badbg);color:var(--bad);padding:8px 12px;border-radius:6px;display:inline-block}
nav{position:sticky;top:0;background:var(--paper);border-bottom:1px solid var(--grid);z-index:2;margin-top:14px}
nav div{max-width:1480px;margin:0 auto;padding:9px 28px;display:flex;gap:22px;flex-wrap:wrap}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
section p{max-width:80ch}
section{padding:26px 0 14px;border-bottom:1px solid var(--grid);scroll-margin-top:40px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:20px;margin-top:14px}
figure{margin:0;background:var(--panel);border:1px solid var(--grid);border-radius:8px;padding:10px 12px;--paper:var(--panel)}
figure svg{width:100%;height:auto;display:block;font:12px system-ui,"DejaVu Sans",sans-serif;color:var(--ink)}
.columns{display:flex;flex-wrap:wrap;column-gap:32px}
.columns>div{flex:1 1 600px;min-width:0}
@media(min-width:900px){.columns>div{min-width:min-content}}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:12.5px}
th,td{padding:3px 5px;text-align:right;white-space:nowrap}
th{font-weight:600;border-bottom:1.5px solid var(--ink);vertical-align:bottom}
th.l,td.l{text-align:left}
td:first-child{white-space:normal}
tr.first td{border-top:1px solid var(--grid)}
tr.printed td{color:var(--faint)}
tr.band td{padding-top:12px;font-weight:600;color:var(--ink);text-align:left}
tbody tr:hover td{background:var(--panel)}
td.best,tbody tr:hover td.best{background:var(--best);font-weight:600}
td small{color:var(--faint);font-weight:400;margin-left:5px}
.marker{vertical-align:-1px;margin-right:7px;color:var(--ink)}
.map td,.map th{padding:2px 7px;text-align:center}
.map td.l,.map th.l{text-align:left}
.map.fine td:first-child{white-space:nowrap}
.map.fine td:not(.l),.map.fine th:not(.l){padding:2px 0;min-width:8px;max-width:8px;white-space:nowrap}
.map td.bad{background:var(--badbg);color:var(--bad);font-weight:700}
.map td.good{color:var(--faint)}
details{margin:10px 0}
summary{cursor:pointer;color:var(--accent)}
ul{margin:6px 0 0;padding-left:20px}
footer{max-width:1480px;margin:0 auto;padding:20px 28px 50px;color:var(--faint);font-size:13.5px}
@media print{nav{display:none}section{break-inside:avoid-page}}
)";

}  // namespace raak
