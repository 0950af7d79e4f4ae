import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.config.ts';

export default defineConfig({ test: { include: ['src/**/*.test.ts'], ...patience } });
