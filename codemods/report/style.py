"""The style sheet and the script of the HTML page."""

CSS = """
:root { --fg: #1f2328; --dim: #59636e; --line: #d1d9e0; --bg: #fff; --soft: #f6f8fa;
  --fixed: #1a7f37; --automatic: #2da44e; --unsafe: #bf8700; --person: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --fg: #e6edf3; --dim: #9198a1; --line: #3d444d; --bg: #0d1117;
  --soft: #151b23; --fixed: #3fb950; --automatic: #2ea043; --unsafe: #d29922; --person: #f85149; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px; max-width: 1100px; background: var(--bg); color: var(--fg);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 32px 0 8px; }
p.sum { color: var(--dim); margin: 0 0 16px; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 16px 0; }
.tile { flex: 1 1 150px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--soft);
  border-left: 5px solid var(--dim); }
.tile b { display: block; font-size: 24px; line-height: 1.2; }
.tile.fixed { border-left-color: var(--fixed); } .tile.automatic { border-left-color: var(--automatic); }
.tile.unsafe { border-left-color: var(--unsafe); } .tile.person { border-left-color: var(--person); }
.charts { display: flex; flex-wrap: wrap; gap: 24px; } figure { margin: 0; flex: 1 1 460px; min-width: 0; }
figcaption { font-weight: 600; margin-bottom: 4px; } svg { max-width: 100%; height: auto; }
svg text { fill: var(--fg); font: 13px system-ui, sans-serif; } svg .number { fill: var(--dim); }
rect.fixed { fill: var(--fixed); } rect.automatic { fill: var(--automatic); }
rect.unsafe { fill: var(--unsafe); } rect.person { fill: var(--person); }
.filters { position: sticky; top: 0; padding: 8px 0; background: var(--bg); border-bottom: 1px solid var(--line); }
.filters label { margin-right: 18px; cursor: pointer; }
details { border: 1px solid var(--line); border-radius: 8px; margin: 10px 0; }
summary { padding: 8px 12px; cursor: pointer; background: var(--soft); border-radius: 8px; font-weight: 600;
  overflow-wrap: anywhere; } summary small { color: var(--dim); font-weight: 400; }
.finding { padding: 10px 14px; border-top: 1px solid var(--line); }
.finding p { margin: 0 0 6px; } .place { color: var(--dim); }
.mark { display: inline-block; padding: 0 8px; border-radius: 10px; color: #fff; font-size: 12px; }
.mark.fixed { background: var(--fixed); } .mark.automatic { background: var(--automatic); }
.mark.unsafe { background: var(--unsafe); } .mark.person { background: var(--person); }
pre { margin: 0; padding: 6px 0; overflow-x: auto; background: var(--soft); border-radius: 6px; tab-size: 4;
  font: 13px/1.45 ui-monospace, SFMono-Regular, Consolas, monospace; }
pre span { display: block; padding: 0 10px; }
pre span.hit { background: color-mix(in srgb, var(--unsafe) 22%, transparent); }
pre i { display: inline-block; width: 48px; padding-right: 12px; text-align: right; font-style: normal;
  color: var(--dim); user-select: none; }
ul.failures li { overflow-wrap: anywhere; }
body.no-fixed .finding.fixed, body.no-automatic .finding.automatic, body.no-unsafe .finding.unsafe,
body.no-person .finding.person { display: none; }
@media print { .filters { display: none; } }
"""

SCRIPT = """
for (const box of document.querySelectorAll(".filters input"))
  box.addEventListener("change", () => document.body.classList.toggle("no-" + box.value, !box.checked));
"""
