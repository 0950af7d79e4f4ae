export const texts = {
  numberOpen: (number: number) => `${number} open`,
};
