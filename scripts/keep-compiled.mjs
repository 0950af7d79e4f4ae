// Runs before each test file: a worker ends by a signal, without writing its compiled code to the cache.
import { flushCompileCache } from 'node:module';

flushCompileCache();
