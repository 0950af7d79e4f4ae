export { createSecretRotation } from './create.ts';
export { deleteSecretRotation } from './delete.ts';
export { rotationFailedMail } from './notify.ts';
export { orphanedRotations, rotationJob } from './queue.ts';
export * from './read.ts';
export { rotateSecrets } from './rotate-now.ts';
export * from './secret-rotation.entity.ts';
export * from './secret-rotation.ts';
export { updateSecretRotation } from './update.ts';
