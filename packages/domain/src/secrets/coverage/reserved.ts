/** Folders of this prefix are made by replication; nobody else makes, sees or changes them. */
export const RESERVED = '__reserve_replication_';
