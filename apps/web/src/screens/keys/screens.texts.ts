export const texts = {
  keysKms: 'Keys (KMS)',
};
