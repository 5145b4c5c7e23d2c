/// The word of `words` that the user may have meant by a mistyped word: at most two letters differ, and less than half
/// of the word. Returns nil if no word is so close.
package func closest(to word: String, among words: [String]) -> String? {
  let limit = min(2, (word.count - 1) / 2)
  let nearest = words.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
  return nearest.flatMap { $0.distance <= limit ? $0.word : nil }
}

/// The number of letters to insert, to delete, to replace or to exchange with a neighbour that turns one word into the
/// other (optimal string alignment).
func distance(_ first: String, _ second: String) -> Int {
  let (first, second) = (Array(first), Array(second))
  var before: [Int] = []
  var last = Array(0...second.count)
  for row in first.indices {
    var next = [row + 1]
    for column in second.indices {
      let isSame = first[row] == second[column]
      var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        best = min(best, before[column - 1] + 1)
      }
      next.append(best)
    }
    (before, last) = (last, next)
  }
  return last[second.count]
}
