export const texts = {
  instance: 'Instance',
};
