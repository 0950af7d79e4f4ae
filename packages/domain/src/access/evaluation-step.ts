// What the steps of evaluating rules cost, as `EvaluationCost` counts them.

/** Of asking one field of one rule. */
export const COST_OF_TEST = 6;
/** Of looking for a text among many. */
export const COST_OF_LOOKUP = 20;
/** Of compiling one part of a glob. */
export const COST_OF_NODE = 60;
