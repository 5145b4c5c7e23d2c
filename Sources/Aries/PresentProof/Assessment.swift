package import JSON

/// The verifier's judgement of a presentation, in its caller's words: codes, each about one item or about the whole
/// presentation.
package struct Assessment: Equatable, Sendable {
  /// The reasons why the presentation is not verified; empty for a verified presentation.
  package let reasons: [Remark]
  package let warnings: [Remark]

  package struct Remark: Equatable, Sendable {
    package let code: String
    /// The referent of the item in the request.
    package let referent: String?
    /// The check of the proof that failed.
    package let check: String?

    package init(code: String, referent: String?, check: String? = nil) {
      self.code = code
      self.referent = referent
      self.check = check
    }

    /// The remark in words, without values.
    fileprivate var words: String {
      let details = [check, referent].compactMap(\.self)
      return details.isEmpty ? code : "\(code) (\(details.joined(separator: ", ")))"
    }
  }

  package init(reasons: [Remark], warnings: [Remark] = []) {
    self.reasons = reasons
    self.warnings = warnings
  }

  package var isVerified: Bool { reasons.isEmpty }

  /// The reasons in words, without values; nil for a verified presentation.
  package var comment: String? {
    guard !isVerified else { return nil }
    return "the presentation is not verified: \(reasons.map(\.words).joined(separator: ", "))"
  }
}

// MARK: - Stored

extension Assessment {
  /// `{"reasons": [{"code", "referent"?, "check"?}], "warnings": […]}`.
  package var json: JSON {
    ["reasons": .array(reasons.map(\.json)), "warnings": .array(warnings.map(\.json))]
  }

  init(stored json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    let remarks = { (key: String) throws(JSONError) -> [Remark] in
      var remarks: [Remark] = []
      for remark in try object.optionalArray(key) ?? [] { remarks.append(try Remark(remark)) }
      return remarks
    }
    self.init(reasons: try remarks("reasons"), warnings: try remarks("warnings"))
  }
}

extension Assessment.Remark {
  fileprivate var json: JSON {
    var object: JSONObject = ["code": .string(code)]
    object["referent"] = referent.map(JSON.string)
    object["check"] = check.map(JSON.string)
    return .object(object)
  }

  fileprivate init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    self.init(
      code: try object.string("code"), referent: try object.optionalString("referent"),
      check: try object.optionalString("check"))
  }
}
