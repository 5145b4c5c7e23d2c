import Credentials
import Foundation
import TestSupport

// Measures the time that msdk adds to the AnonCreds engine, and how selection and loading grow with the credentials of a
// wallet, in time of the processor.
// Prints tables in Markdown. With the path of a file as its argument, it leaves a proof there for another verifier.

let scene = try BenchmarkScene()
let steps = try scene.steps(rounds: 15)
print("| | engine | msdk | adds | share of the engine |\n|---|---|---|---|---|")
for step in steps {
  let added = step.whole - step.engine
  print(
    "| \(step.name) | \(figure(step.engine)) | \(figure(step.whole)) | \(figure(added)) | \(percent(step.share)) |")
}

/// The goal: so much of the time of an issuance and of a verification is the engine's.
let leastShare = 0.95
for step in steps where step.hasGoal {
  let verdict = step.share >= leastShare ? "met   " : "MISSED"
  print("\n\(verdict) \(step.name): \(percent(step.share)) of the engine alone, goal \(percent(leastShare))")
}
if let path = CommandLine.arguments.dropFirst().first {
  try scene.exported().write(toFile: path, atomically: true, encoding: .utf8)
}

print("\n| credentials | loading | per credential | selection for 10 items, with its text |\n|---|---|---|---|")
var selections: [Int: Double] = [:]
for count in [100, 1_000, 10_000] {
  let found = try scene.searches(among: count, rounds: 7)
  let each = found.loading / Double(count)
  print("| \(count) | \(figure(found.loading)) | \(figure(each)) | \(figure(found.selecting)) |")
  selections[count] = found.selecting / found.loading
}

/// The goal: a selection for ten items takes at most this part of the time that loading the credentials takes.
let mostOfLoading = 0.5
if let part = selections[1_000] {
  let verdict = part <= mostOfLoading ? "met   " : "MISSED"
  print("\n\(verdict) selection among 1,000: \(percent(part)) of loading, goal \(percent(mostOfLoading)) at most")
}

func percent(_ part: Double) -> String { String(format: "%.1f %%", part * 100) }

/// A time in milliseconds or microseconds, with three digits.
func figure(_ milliseconds: Double) -> String {
  abs(milliseconds) < 1
    ? String(format: "%.3g µs", milliseconds * 1_000) : String(format: "%.3g ms", milliseconds)
}
