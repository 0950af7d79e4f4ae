import type { DimensionGrowth } from './index.ts';

const WIDTH = 760;
const ROW = 34;
const LEFT = 220;
const RIGHT = 70;
const BAR = 10;
const [TOP, BOTTOM] = [46, 20];
const COLORS = ['#9db4c0', '#5c6b73', '#253237'];

/** A chart as SVG: a bar for each work and size, as a multiple of its cost in the smallest instance. */
export function chartOf({ name, works }: DimensionGrowth, target: number): string {
  const most = Math.max(2, ...works.flatMap(({ sizes }) => sizes.map(({ ratio }) => ratio.median)));
  const x = (ratio: number) => Math.round(LEFT + (ratio / most) * (WIDTH - LEFT - RIGHT));
  const height = TOP + works.length * ROW + BOTTOM;
  const legend = works[0]!.sizes.map(({ size }, index) => {
    const left = LEFT + index * 130;
    return `<rect x="${left}" y="12" width="10" height="10" fill="${COLORS[index % COLORS.length]}"/>${text(left + 16, 21, `${size.toLocaleString('en')} ${name}`)}`;
  });
  const rows = works.map(({ work, sizes }, row) => {
    const top = TOP + row * ROW;
    const bars = sizes.map(({ ratio }, index) => {
      const y = top + (index * (ROW - 10)) / sizes.length;
      const width = Math.max(1, x(ratio.median) - LEFT);
      const bar = `<rect x="${LEFT}" y="${y}" width="${width}" height="${Math.min(BAR, (ROW - 12) / sizes.length)}" fill="${COLORS[index % COLORS.length]}"/>`;
      return index === 0 ? bar : `${bar}${text(LEFT + width + 6, y + 9, `× ${ratio.median.toFixed(2)}`)}`;
    });
    return `${text(8, top + 15, work)}${bars.join('')}`;
  });
  const limit = `<line x1="${x(target)}" y1="${TOP - 8}" x2="${x(target)}" y2="${height - BOTTOM}" stroke="#c1292e" stroke-dasharray="4 3"/>${text(x(target) + 4, TOP - 10, `× ${target}`)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...legend,
    limit,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

const text = (x: number, y: number, content: string) => `<text x="${x}" y="${y}">${content}</text>`;
