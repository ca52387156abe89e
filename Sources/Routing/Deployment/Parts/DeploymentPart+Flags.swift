import BodyFormats
public import FeatureFlags

extension DeploymentPart {
  /// The values of feature flags, as a JSON object: `{"checkout.express": true, "list.style": "map"}`.
  ///
  /// A flag that the document doesn't have has its default. Flags that the app doesn't have are ignored, and
  /// a value of another type or beyond its range is refused.
  public static func flags(_ flags: DeployedFlags) -> DeploymentPart {
    DeploymentPart("flags") { content in
      let entries = try [String: FlagEntry](json: try PartContent.json(content))
      do throws(FlagFault) {
        let table = try flags.checked(entries.mapValues(\.content))
        return { flags.apply(table) }
      } catch {
        throw DeploymentPart.Fault(
          "\"\(DeploymentError.shown(error.name))\" \(error.problem).",
          line: entries[error.name].map { JSONDocument.line(at: $0.offset, in: content) })
      }
    } reset: {
      flags.apply(FlagTable())
    }
  }
}

/// The value of a flag in a document.
private struct FlagEntry: JSONReadable {
  let content: FlagContent
  let offset: Int

  init(json: JSONDocument) throws {
    offset = json.offset
    switch json.kind {
    case .boolean: content = FlagContent(.boolean(try Bool(json: json)))
    case .number:
      if let integer = try? Int(json: json) {
        content = FlagContent(.integer(integer))
      } else {
        content = FlagContent(.number(try Double(json: json)))
      }
    case .string:
      let text = try String(json: json)
      guard text.utf8.count <= FlagContent.maximumText else {
        throw json.mismatch("should have at most \(FlagContent.maximumText) bytes")
      }
      content = FlagContent(.text(text))
    case .object, .array, .null: throw json.mismatch("should be true, false, a number or a text")
    }
  }
}
