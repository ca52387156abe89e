import BodyFormats
public import RouteRedirects

extension DeploymentPart {
  /// Redirects, and switched-off routes and modules.
  ///
  /// ```json
  /// {
  ///   "rules": [
  ///     {"from": "estate://home/{id:int}", "to": "https://estate.example/homes/{id:int}"},
  ///     {"from": "estate://map", "disabled": true}
  ///   ],
  ///   "modulesOff": ["Mortgage"]
  /// }
  /// ```
  ///
  /// The rules are those of a `RedirectTable`, checked against the mediator's routes. The
  /// patterns of a module that is switched off match nothing any more, except those to which a rule applies;
  /// routes without a pattern stay.
  ///
  /// - Parameter tables: The tables of the mediator. Their policy is `RedirectPolicy.unsigned()`, because the
  ///   document's signature replaces that of a table.
  public static func routes(_ tables: RedirectTables) -> DeploymentPart {
    let check: @Sendable ([UInt8], UInt64) throws -> @Sendable () -> Void = { content, version in
      let document = try PartContent.json(content)
      let values = try document.values(knowing: ["rules", "modulesOff"])
      let entries = try values["rules"].map { try [RuleEntry](json: $0) } ?? []
      let modules = try values["modulesOff"].map { try [String](json: $0) } ?? []
      if let module = try tables.firstUnknown(among: Set(modules)), let list = values["modulesOff"] {
        throw DeploymentPart.Fault(
          "No module \"\(DeploymentError.shown(module))\" with a route that has a pattern can be switched off; "
            + "use the name of a module.", line: JSONDocument.line(at: list.offset, in: content))
      }
      do throws(RedirectTableError) {
        let checked = try tables.checked(entries.map(\.rule), switchingOff: Set(modules), version: version)
        return { tables.deploy(checked) }
      } catch {
        throw DeploymentPart.Fault("\(error)", line: line(of: error, values, entries, in: content))
      }
    }
    return DeploymentPart("routes", checkingVersions: check, reset: { tables.deploy(nil) })
  }

  /// Returns the line of the first rule at fault, or of the modules.
  private static func line(
    of error: RedirectTableError, _ values: [String: JSONDocument], _ entries: [RuleEntry],
    in content: [UInt8]
  ) -> Int? {
    let offset: Int? =
      switch error.kind {
      case .invalid(let faults):
        // A rule after those of the document is one of a module that is switched off.
        faults.first.flatMap { entries.indices.contains($0.rule) ? entries[$0.rule].offset : nil }
          ?? values["modulesOff"]?.offset
      default: nil
      }
    return offset.map { JSONDocument.line(at: $0, in: content) }
  }
}

/// A rule in a document.
private struct RuleEntry: JSONReadable {
  let rule: RedirectRule
  let offset: Int

  init(json: JSONDocument) throws {
    offset = json.offset
    let fields = try json.values(knowing: ["from", "to", "values", "disabled"])
    let from = try json[JSONField<String>("from")]
    let values = try fields["values"].map { try [String: String](json: $0) }
    let isDisabled = try fields["disabled"].map { try Bool(json: $0) } ?? false
    switch (try fields["to"].map { try String(json: $0) }, isDisabled) {
    case (let target?, false): rule = .redirect(from, to: target, values: values ?? [:])
    case (nil, true) where values == nil: rule = .disable(from)
    default: throw json.mismatch("should have \"to\", with or without \"values\", or \"disabled\": true")
    }
  }
}
