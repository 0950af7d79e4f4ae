import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDotenv, parseFile } from './parse-file.ts';

const pairsOf = async (text: string) => {
  const parsed = await parseFile(text);
  return 'pairs' in parsed ? Object.fromEntries(parsed.pairs) : parsed;
};

describe('a file with secrets', () => {
  it('is read as JSON, as YAML, or as lines of names and values', async () => {
    expect(await pairsOf('{"A": "b", "N": 7, "O": {"x": [1]}, "E": null}')).toEqual({
      A: 'b',
      N: '7',
      O: '{"x":[1]}',
      E: '',
    });
    expect(await pairsOf('A: b\nN: 7\nM: |\n  one\n  two\n')).toEqual({ A: 'b', N: '7', M: 'one\ntwo\n' });
    expect(await pairsOf('A=b # c\nexport B="x\\ny"\n#C=d\n')).toEqual({ A: 'b', B: 'x\ny' });
  });

  it('is explained where it is none of these', async () => {
    expect(await parseFile('  ')).toEqual({ error: 'There is nothing in it.' });
    expect(await parseFile('{"A": ')).toEqual({ error: expect.stringContaining('not valid JSON') });
    expect(await parseFile('just words')).toEqual({ error: expect.stringContaining('Expected names') });
    expect(await parseFile('a: &x [*x, *x]')).toEqual({ error: expect.any(String) });
  });

  it('says which names stand in it more than once, of which the last is taken', async () => {
    expect(await parseFile('A=1\nB=1\nexport A=2\nC="B=3"\nA=3')).toMatchObject({
      pairs: new Map([
        ['A', '3'],
        ['B', '1'],
        ['C', 'B=3'],
      ]),
      repeated: ['A'],
    });
  });

  it('says the same of JSON and YAML, in all of their objects', async () => {
    expect(
      await parseFile('{"A": "1", "B": {"x": 1, "y": [{"x": 1}, {"x": 2}], "x": 2}, "A": "{\\"A\\": 3}"}'),
    ).toEqual({
      pairs: new Map([
        ['A', '{"A": 3}'],
        ['B', '{"x":2,"y":[{"x":1},{"x":2}]}'],
      ]),
      repeated: ['B.x', 'A'],
    });
    expect(await parseFile('A: 1\nB:\n  - x: 1\n    x: 2\n  - x: 3\nA: 2\nA: 3')).toEqual({
      pairs: new Map([
        ['A', '3'],
        ['B', '[{"x":2},{"x":3}]'],
      ]),
      repeated: ['B.x', 'A'],
    });
    expect(await parseFile('{"A": "a:{}", "\\u0041": "b"}')).toMatchObject({ repeated: ['A'] });
  });

  it('says which lines are left out: what is no comment, and assigns nothing', async () => {
    const text = '# c\nA=1 # c\nbad line here\n\nB="x\ny z"\r\nfoo bar=4\n  export C=5\n=x';
    expect(await parseFile(text)).toEqual({
      pairs: new Map([
        ['A', '1'],
        ['B', 'x\ny z'],
        ['C', '5'],
      ]),
      repeated: [],
      leftOut: [3, 7, 9],
    });
  });

  it('has the lines that Node reads', () => {
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
    // Node reads `export A=` as a name with a blank.
    const plain = fc.stringMatching(/^[\w./:@-]{1,12}$/);
    const quoted = fc
      .tuple(fc.constantFrom('"', "'", '`'), fc.stringMatching(/^[\w #=\n$.-]{0,12}$/))
      .map(([q, text]) => q + text + q);
    const line = fc
      .tuple(fc.constantFrom('', 'export ', '  '), name, fc.oneof(plain, quoted))
      .map(([lead, key, value]) => `${lead}${key}=${value}`);
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.constant('# a comment'), fc.constant('')), { maxLength: 6 }), (lines) => {
        const text = lines.join('\n');
        expect(Object.fromEntries(parseDotenv(text))).toEqual({ ...parseEnv(text) });
      }),
      { numRuns: 500 },
    );
  });
});
