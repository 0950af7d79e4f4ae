import { WorkBudget } from '../../../kernel/index.ts';

/** The nodes that may be on a cycle: repeatedly removes nodes without successors or predecessors. */
export async function nodesOnCircles(edges: ReadonlyMap<string, readonly string[]>): Promise<Set<string>> {
  const pace = new WorkBudget();
  const left = new Set(edges.keys());
  const reversed = new Map<string, string[]>();
  for (const [from, targets] of edges) {
    for (const to of targets) {
      const sources = reversed.get(to);
      if (sources) sources.push(from);
      else reversed.set(to, [from]);
    }
    await pace.spendAndRest(targets.length + 1);
  }
  await removeEnds(left, edges, reversed, pace);
  await removeEnds(left, reversed, edges, pace);
  return left;
}

type Edges = ReadonlyMap<string, readonly string[]>;

/** Removes the nodes without a remaining predecessor. */
async function removeEnds(left: Set<string>, edges: Edges, reversed: Edges, pace: WorkBudget): Promise<void> {
  const degrees = new Map<string, number>();
  for (const node of left) {
    const targets = edges.get(node) ?? [];
    degrees.set(node, targets.filter((to) => left.has(to)).length);
    await pace.spendAndRest(targets.length + 1);
  }
  const ends = [...left].filter((node) => degrees.get(node) === 0);
  for (let node = ends.pop(); node !== undefined; node = ends.pop()) {
    left.delete(node);
    const sources = reversed.get(node) ?? [];
    for (const from of sources) {
      const degree = degrees.get(from);
      if (degree === undefined || !left.has(from)) continue;
      degrees.set(from, degree - 1);
      if (degree === 1) ends.push(from);
    }
    await pace.spendAndRest(sources.length + 1);
  }
}
