import Foundation

// operations time [PREFIX]     the time of each operation, as JSON lines
// operations count             runs each counted operation under callgrind, for scripts/check-speed

/// Runs an operation. callgrind counts only within this function, which it finds by its name.
@inline(never)
func measured(_ run: () throws -> Void) throws -> Bool {
  try run()
  return true  // so that the compiler does not leave this function for the last time when it calls the other
}

let operations = try Operations()
defer { operations.end() }
let words = CommandLine.arguments.dropFirst()
switch words.first {
case "count":
  for operation in operations.all where operation.isCounted {
    let run = try operation.prepare()
    for _ in 0..<3 { try run() }
    guard try measured(run) else { continue }
    print(operation.name)
  }
case "time":
  for operation in operations.all where operation.isTimed && operation.name.hasPrefix(words.dropFirst().first ?? "") {
    try time(operation)
  }
default:
  print("operations time [PREFIX] | operations count")
  exit(2)
}

/// Prints the median time of an operation on this thread's processor, of nine turns of some 20 milliseconds.
func time(_ operation: Operation) throws {
  let (turns, length) = (9, 20e6)
  let run = try operation.prepare()
  var count = 1
  try run()
  while try nanoseconds(of: count, run) < length / 4 { count *= 2 }
  count = max(1, Int(length * Double(count) / (try nanoseconds(of: count, run))))
  let times = try (0..<turns).map { _ in try nanoseconds(of: count, run) / Double(count) }.sorted()
  let line: [String: Any] = [
    "metric": operation.name, "peer": "msdk", "value": times[turns / 2], "unit": "ns/op", "min": times[0],
    "max": times[turns - 1], "runs": turns,
  ]
  let text = try JSONSerialization.data(withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
  print(String(decoding: text, as: UTF8.self))
}

func nanoseconds(of count: Int, _ run: () throws -> Void) throws -> Double {
  let start = processorTime()
  for _ in 0..<count { try run() }
  return processorTime() - start
}

func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
