import { defineCommand } from '../../table/command.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check the server, the login, the project file and this machine',
  load: async () => (await import('./doctor.ts')).diagnose,
});
