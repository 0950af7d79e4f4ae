/** Folders with this prefix belong to replication; callers cannot create, see or change them. */
export const RESERVED = '__reserve_replication_';
