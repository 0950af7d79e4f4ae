export const texts = {
  account: 'Account',
};
