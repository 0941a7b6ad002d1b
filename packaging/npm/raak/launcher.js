#!/usr/bin/env node
// Starts the program of the package that npm chose for this machine.
const { spawn } = require("node:child_process");

const name = `@raak/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/raak`);
} catch {
  console.error(`raak: there is no program for this machine: the package ${name} is not installed`);
  process.exit(2);
}
// Ctrl-C is for the program, which keeps partial results; we end when it does.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`raak: ${error.message}`);
  process.exit(70);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + require("node:os").constants.signals[signal] : code));
