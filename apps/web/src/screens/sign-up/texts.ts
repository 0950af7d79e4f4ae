export const texts = {
  newAccount: 'New account',
  sendLink: 'Send a link',
  backToSignIn: 'Back to the sign-in',
  createAccount: 'Create the account',
};
