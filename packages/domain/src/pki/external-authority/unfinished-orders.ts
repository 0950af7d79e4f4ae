/** SQL: whether an order `t` waits, or has left something to be removed elsewhere. */
export const IS_UNFINISHED = "(t.status = 'pending' or t.due_at is not null)";
