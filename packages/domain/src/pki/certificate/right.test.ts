import { describe, expect, it } from 'vitest';
import { projectSubjects } from '../../access/index.ts';
import { CONDITION_FIELDS } from './right.ts';

describe('rights to certificates', () => {
  it('have a condition for each attribute of a subject, and for nothing that no certificate has', () => {
    const others = ['commonName', 'altNames', 'serialNumber', 'friendlyName', 'status'];
    expect(projectSubjects.certificates.conditions.toSorted()).toEqual(
      [...others, ...Object.values(CONDITION_FIELDS)].toSorted(),
    );
  });
});
