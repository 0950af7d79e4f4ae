import * as x509 from '@coffer/x509';
import { badRequestsFor } from '../kernel/errors.ts';

// @coffer/x509 with the errors of the domain: what its functions refuse is the caller's input, and so a 400 of the same code.

export * from '@coffer/x509';

const asDomain = badRequestsFor(x509.X509Error);

export const parseAltName = asDomain(x509.parseAltName);
export const parseAltNames = asDomain(x509.parseAltNames);
export const readAltName = asDomain(x509.readAltName);
export const readConstraint = asDomain(x509.readConstraint);
export const encodeName = asDomain(x509.encodeName);
export const tbsOf = asDomain(x509.tbsOf);
export const buildCertificate = asDomain(x509.buildCertificate);
export const makeCsr = asDomain(x509.makeCsr);
export const readCertificate = asDomain(x509.readCertificate);
export const readChain = asDomain(x509.readChain);
export const derOfChain = asDomain(x509.derOfChain);
export const readStoredChain = asDomain(x509.readStoredChain);
export const readCrl = asDomain(x509.readCrl);
export const readCsr = asDomain(x509.readCsr);
export const readOcspRequest = asDomain(x509.readOcspRequest);
