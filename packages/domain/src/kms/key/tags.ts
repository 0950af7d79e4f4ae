/** The cache tag of a key and its versions. */
export const tagOf = (keyId: string): string => `kms_key:${keyId}`;

/** The cache tag of what is made of all keys of a project. */
export const tagOfProject = (projectId: string): string => `kms_keys:${projectId}`;
