export const STYLE = `
:root { color-scheme: light dark; --line: #d8dde3; --soft: #66707c; --back: #fff; --box: #f5f7f9; --text: #1b222b; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --line: #333c47; --soft: #97a3b1; --back: #13181e; --box: #1c232b; --text: #e4e9ef; --accent: #6cb2f7; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { position: sticky; top: 0; z-index: 1; display: flex; gap: 1rem; align-items: center; padding: .6rem max(1rem, calc((100vw - 68rem) / 2)); background: var(--back); border-bottom: 1px solid var(--line); }
header .home { font-weight: 700; color: inherit; }
header input { flex: 1; padding: .4rem .7rem; font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: .4rem; }
main { max-width: 68rem; margin: 0 auto; padding: 1rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; } h3 { font-size: .8rem; margin: 1.2rem 0 .3rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { padding: .8rem; overflow-x: auto; background: var(--box); border: 1px solid var(--line); border-radius: .4rem; }
pre code { overflow-wrap: normal; }
.lead, .type, .place, .limits, .summary em { color: var(--soft); }
.operations { list-style: none; margin: 0; padding: 0; }
.operations a { display: flex; flex-wrap: wrap; gap: .2rem .7rem; padding: .25rem .4rem; color: inherit; border-radius: .3rem; align-items: baseline; }
.operations a:hover { background: var(--box); text-decoration: none; }
.operations span { color: var(--soft); }
b { flex: none; display: inline-block; min-width: 4.2rem; font: 700 11px/1.6 ui-monospace, monospace; text-align: center; color: #fff; border-radius: .25rem; }
b.get { background: #2268b0; } b.post { background: #257a46; } b.patch, b.put { background: #9a6400; } b.delete { background: #b13030; }
article { margin: 0 0 2.5rem; padding: 0 1.2rem 1rem; border: 1px solid var(--line); border-radius: .5rem; scroll-margin-top: 4rem; }
article h2 { margin-top: 1rem; } article:target { border-color: var(--accent); }
dl { margin: 0; border-left: 2px solid var(--line); padding-left: .9rem; }
dt { margin-top: .35rem; } dd { margin: 0; } dd p { margin: 0; }
.type, .place, .limits, .required { font-size: .85em; } .required { color: #b13030; }
details > summary { cursor: pointer; font-size: .85em; color: var(--soft); }
[hidden] { display: none !important; }
`;

/** Hides entries that do not contain all search words. The index searches everything. */
export const SEARCH = `
const box = document.getElementById('search');
const entries = [...document.querySelectorAll('[data-words]')];
const sections = [...document.querySelectorAll('section')];
function search() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
  for (const section of sections) section.hidden = !section.querySelector('[data-words]:not([hidden])');
}
box.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== box) { event.preventDefault(); box.focus(); }
});
search();
`;
