type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** The area with the procedures of one member of a family: `areaOf('azure-key-vault', 'Connections')` → `azureKeyVaultConnections`. */
export const areaOf = <Name extends string, Family extends string>(name: Name, family: Family) =>
  `${name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}${family}` as `${Camel<Name>}${Family}`;
