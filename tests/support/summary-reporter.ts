import type { Reporter, TestModule } from 'vitest/node';

/**
 * Closes a run with one plain line that any reader of a log understands: how many passed, failed and were skipped. Tests
 * that passed only when tried again are named before it: each is a race that somebody must find.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const flaky: string[] = [];
    for (const module of modules) {
      const before = count.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (test.diagnostic()?.flaky) flaky.push(`${module.relativeModuleId}: ${test.fullName}`);
        if (state === 'passed' || state === 'failed' || state === 'skipped') count[state] += 1;
        else count.failed += 1;
      }
      if (module.state() === 'failed' && count.failed === before) count.failed += 1;
    }
    // Printed after the default reporter's own summary.
    process.once('exit', () => {
      for (const name of flaky) console.log(`passed only when tried again: ${name}`);
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  }
}
