/**
 * The organization of events that belong to none, such as refused logins of unknown clients: the nil UUID. Its log has a
 * chain like any other, and is read by the administrators of the instance alone.
 */
export const INSTANCE_LOG = '00000000-0000-0000-0000-000000000000';
