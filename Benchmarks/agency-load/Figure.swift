import JSON

/// One measured value, printed as a line of JSON.
struct Figure {
  let metric: String
  let peer: String
  let value: Double
  let unit: String
  var count: Int?

  func print() {
    var members: JSONObject = [
      "metric": .string(metric), "peer": .string(peer), "value": .real((value * 100).rounded() / 100),
      "unit": .string(unit),
    ]
    if let count { members["n"] = .integer(Int64(count)) }
    Swift.print(JSON.object(members).text)
  }
}
