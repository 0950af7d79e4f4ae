// The costs of the steps of evaluating rules, as `EvaluationCost` counts them.

/** The cost of testing one field of one rule. */
export const COST_OF_TEST = 6;
/** Of looking for a text among many. */
export const COST_OF_LOOKUP = 20;
/** The cost of compiling one part of a glob. */
export const COST_OF_NODE = 60;
