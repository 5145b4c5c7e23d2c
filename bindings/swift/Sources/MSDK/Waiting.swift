/// Calls `look` until its answer is one of `ends`, and returns it. Throws `CancellationError` if the task is cancelled.
func reach<State: Equatable>(_ ends: [State], every pause: Duration, _ look: () async throws -> State) async throws
  -> State
{
  while true {
    let state = try await look()
    if ends.contains(state) { return state }
    try await Task.sleep(for: pause)
  }
}
