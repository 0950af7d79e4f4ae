import { describe, expect, it } from 'vitest';
import { keysOf, textsIn, usedIn } from './texts.mjs';

const inScreen = (jsx) => textsIn('screen.tsx', `const Screen = () => ${jsx};`);

describe('the check of texts', () => {
  it.each([
    ['<p>Delete the folder</p>', '1: Delete the folder'],
    ['<p>\n  Delete\n  {name}\n</p>', '1: Delete'],
    ['<p>{isOpen ? "Hide" : close}</p>', '1: Hide'],
    ['<p>{isOpen && "hide"}</p>', '1: hide'],
    ['<p>{`Delete ${name}?`}</p>', '1: Delete …?'],
    ['<Button label="delete" />', '1: delete'],
    ['<Field hint={isNew ? undefined : "Optional"} />', '1: Optional'],
    ['<Field aria-label={`${name} in ${folder}`} />', '1: … in …'],
    ['<Table columns={[{ title: "name", cell }]} />', '1: name'],
    ['<Facts of={[["Status", status]]} />', '1: Status'],
    ['<Chart unit="per second and caller" />', '1: per second and caller'],
    ['<a href="/docs">Read</a>', '1: Read'],
    ['act(() => toast("The folder is deleted."))', '1: The folder is deleted.'],
    ['<Code label="Command line">coffer run</Code>', '1: Command line'],
  ])('finds the text in %s', (jsx, found) => {
    expect(inScreen(jsx)).toEqual([found]);
  });

  it.each([
    '<p>{texts.deleteFolder} · {count} (…)</p>',
    '<Button label={texts.deleteFolder} kind="danger" onClick={() => go({ tab: "people" })} />',
    '<p className="wide open" data-row="Some row">{name === "Not this" ? a : b}</p>',
    '<code>coffer run --env dev</code>',
    '<kbd>Enter</kbd>',
    '<Link to="/projects/$projectId/secrets">{name}</Link>',
    '<ByMachine commandLine={`coffer ssh connect ${host}`} />',
    '<h1>Coffer</h1>',
    'load(() => import("./Some screen.tsx"))',
    'fetch(url, { headers: { authorization: `Bearer ${token}` } })',
    'fail(new Error("IndexedDB has no such store"))',
  ])('takes %s', (jsx) => {
    expect(inScreen(jsx)).toEqual([]);
  });

  it('names the line', () => {
    expect(textsIn('screen.tsx', 'const one = 1;\n\nconst title = "New folder";\n')).toEqual(['3: New folder']);
  });

  it('knows which texts a file shows', () => {
    const source = `
      import { words } from '../../ui/words.texts.ts';
      import { texts } from './texts.ts';
      const Screen = () => <p title={words.name}>{texts.deleteFolder(name)} {TITLES[kind]} {other.texts}</p>;`;
    expect(usedIn('screens/secrets/screen.tsx', source)).toEqual([
      'ui/words.texts.ts#name',
      'screens/secrets/texts.ts#deleteFolder',
    ]);
    expect(
      keysOf('texts.ts', "export const texts = { one: 'One', two: (n: number) => `${n} ${count({ a: 1 })}` };"),
    ).toEqual(['one', 'two']);
  });
});
