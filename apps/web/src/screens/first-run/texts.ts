import type { ReactNode } from 'react';
import { rich } from '../../ui/rich.ts';

export const texts = {
  welcome: 'Welcome',
  thisServerHasNoAdministrator: 'This server has no administrator yet. You become the first one.',
  yourCompanyOrTeam: 'Your company or team',
  atLeast12Characters: 'At least 12 characters',
  setUpCode: 'Set-up code',
  fromLogOfServer: 'From the log of the server, or its file setup-code',
  firstProject: 'First project',
  helloFromCoffer: 'Hello from Coffer',
  readByMachine: 'Read by a machine',
  programsLogInAsMachine: 'Programs log in as a machine identity, with an id and a secret of their own.',
  stepOne: '1. A machine identity',
  stepTwo: '2. Read the secrets',
  createMachineIdentitiesAndAdd: 'create machine identities and add them to this project',
  itMayReadSecrets: 'It may read secrets of this project, and nothing else.',
  secretIsShownOnce:
    'The secret is shown once, and is gone when you leave this page. Keep it where the program finds it.',
  clientSecret: 'Client secret',
  itsEnvironment: 'Its environment',
  commandLine: 'Command line',
  inFolderOfCoffer:
    'In the folder where Coffer was started. Elsewhere, install the command line; the first line is not needed then.',
  saveItAs: (file: ReactNode, command: ReactNode) =>
    rich`In the same folder, save it as ${file}, and run it by ${command}. Elsewhere it needs the package @coffer/client and Node 24.`,
};
