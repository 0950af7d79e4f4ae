export * from './root.ts';
export * from './rotate.ts';
export { defineSealedColumn, sealedColumns, type SealedColumn } from './sealed-columns.ts';
