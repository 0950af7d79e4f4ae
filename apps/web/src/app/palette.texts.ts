export const texts = {
  searchScreensProjectsCommands: 'Search screens, projects, commands, secrets and folders',
  whereTo: 'Where to, or what to do?',
  found: 'Found',
  folderOf: (projectName: string) => `Folder · ${projectName}`,
  secretsCannotBeSearched: 'Secrets cannot be searched now.',
  searchingSecrets: 'Searching secrets…',
  screenOf: (group: string) => `Screen · ${group}`,
  whatItDoes: 'What it does',
  noShortcut: 'There is no shortcut here.',
  keyboardShortcuts: 'Keyboard shortcuts',
};
