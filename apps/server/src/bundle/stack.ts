import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUNDLES } from './sources.ts';

/** A source map, of which nothing else is read. */
interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const BUNDLED = `${pathToFileURL(BUNDLES).href}/`;
const FRAME = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** What was found, because the same errors come again. */
const found = new Map<string, string>();
const MOST = 1000;

/** A stack with the places in the sources instead of those in the bundle. */
export const stackInSources = (stack: string): string =>
  stack.replace(FRAME, (place, file: string, line: string, column: string) => {
    if (!file.startsWith(BUNDLED)) return place;
    const known = found.get(place) ?? placeInSources(file, Number(line), Number(column)) ?? place;
    if (found.size < MOST) found.set(place, known);
    return known;
  });

function placeInSources(file: string, line: number, column: number): string | undefined {
  try {
    const map = JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')) as SourceMap;
    const original = lookUp(map.mappings, line, column);
    if (!original) return undefined;
    const [source, ...place] = original;
    return [new URL(map.sources[source]!, file).href, ...place].join(':');
  } catch {
    return undefined; // the bundle was removed
  }
}

type Place = [source: number, line: number, column: number];

/**
 * Where in the sources a place of a generated file is from. The mappings are read up to there, which takes some hundredths of a second;
 * Node's own `SourceMap` takes ten times that and 100 MB.
 */
function lookUp(mappings: string, line: number, column: number): Place | undefined {
  // The generated column counts from the line's begin; it and the others are differences to the ones before.
  const fields = [0, 0, 0, 0, 0];
  let [current, field, value, shift] = [1, 0, 0, 0];
  let place: Place | undefined;
  for (let at = 0; at <= mappings.length; at++) {
    const character = mappings[at] ?? ';';
    if (character !== ',' && character !== ';') {
      const digit = DIGITS.indexOf(character);
      value += (digit & 31) << shift;
      shift += 5;
      if (digit & 32) continue;
      fields[field++]! += value & 1 ? -(value >> 1) : value >> 1;
      [value, shift] = [0, 0];
      continue;
    }
    const [generated, source, originalLine, originalColumn] = fields as [number, number, number, number];
    if (current === line && field >= 4 && generated < column) place = [source, originalLine + 1, originalColumn + 1];
    field = 0;
    if (character === ',') continue;
    if (current === line) return place;
    current++;
    fields[0] = 0;
  }
  return undefined;
}
