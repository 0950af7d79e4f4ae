export const texts = {
  operatorHasToSet: (setting: string) => `The operator of this server has to set ${setting} first`,
  isNotSetUp: (name: string, setting: string) =>
    `${name} cannot be used yet: the operator of this server has to set ${setting} first. The documentation for operators says how, under “Applications at other services”.`,
};
