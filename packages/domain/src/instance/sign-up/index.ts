export { signUpMail } from './mail.ts';
export { AskSignUp, isSignUpToken, VerifySignUp } from './proof.ts';
export * from './sign-up.ts';
