// The costs of the steps of evaluating rules, as `EvaluationCost` counts them.

/** The cost of testing one field of one rule. */
export const COST_OF_TEST = 6;
/** Of looking for a text among many. */
export const COST_OF_LOOKUP = 20;
/** The cost of compiling one part of a glob. */
export const COST_OF_NODE = 60;

/** Charged for evaluations. */
export interface Payer {
  spend(cost: number): void;
}

let steps = 0;
/** All steps of this process. */
export const stepsInAll = (): number => steps;

/**
 * Only counts. For evaluations in turns, which rest by what is counted (`in-turns.ts`), and for single ones: everything
 * else that evaluates many patterns, or many texts, has an `EvaluationCost`.
 */
export const COUNTED: Payer = { spend: (cost) => void (steps += cost) };
