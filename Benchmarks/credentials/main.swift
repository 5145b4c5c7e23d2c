import Credentials
import Foundation
import TestSupport

// Measures the time that msdk adds to the AnonCreds engine, and how selection and loading grow with the credentials of a
// wallet, in time of the processor.
// Prints tables in Markdown. With the path of a file as its argument, it leaves a proof there for another verifier.

let scene = try BenchmarkScene()
let steps = try scene.steps(rounds: 15)
print("| | engine | msdk | adds |\n|---|---|---|---|")
for step in steps {
  let added = step.whole - step.engine
  print("| \(step.name) | \(figure(step.engine)) | \(figure(step.whole)) | \(figure(added)) |")
}

if let verification = steps.last {
  print("\nmsdk verifies \(Int(1_000 / verification.whole)) proofs in a second of one processor.")
}
if let path = CommandLine.arguments.dropFirst().first {
  try scene.exported().write(toFile: path, atomically: true, encoding: .utf8)
}

print("\n| credentials | loading | per credential | selection for 10 items, with its text |\n|---|---|---|---|")
for count in [100, 1_000, 10_000] {
  let found = try scene.searches(among: count, rounds: 7)
  let each = found.loading / Double(count)
  print("| \(count) | \(figure(found.loading)) | \(figure(each)) | \(figure(found.selecting)) |")
}

/// A time in milliseconds or microseconds, with three digits.
func figure(_ milliseconds: Double) -> String {
  abs(milliseconds) < 1
    ? String(format: "%.3g µs", milliseconds * 1_000) : String(format: "%.3g ms", milliseconds)
}
