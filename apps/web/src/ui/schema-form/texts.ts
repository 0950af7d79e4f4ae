import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

export const texts = {
  optional: 'Optional',
  descriptionOfApiAnswered: (status: number) => `The description of the API answered ${status}`,
  setLabel: (label: string) => `Set ${label}`,
  moreOptions: (number: number) => `More options (${number})`,
  nameNumber: (number: number) => `Name ${number}`,
  valueNumber: (number: number) => `Value ${number}`,
  removeWhat: (what: string) => `Remove ${what}`,
  addTo: (label: string) => `Add to ${label}`,
  thisServerHasNoForm: (area: ReactNode, procedure: ReactNode) =>
    rich`This server has no form for ${area}.${procedure}: update it.`,
  forExample: (example: string) => `For example ${example}`,
  unchanged: 'Unchanged',
  thereIsNothingToChoose: 'There is nothing to choose.',
};
