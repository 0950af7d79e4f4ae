export { kmsDecryptBatch, kmsEncryptBatch, kmsSignBatch, kmsVerifyBatch } from './batch.ts';
export { kmsGenerateDataKey, kmsRandom, kmsReEncrypt } from './data-key.ts';
export { kmsDecrypt, kmsEncrypt } from './encrypt.ts';
export { kmsGenerateMac, kmsVerifyMac } from './mac.ts';
export { kmsSign, kmsVerify, listKmsSigningAlgorithms } from './sign.ts';
export * from './use.ts';
