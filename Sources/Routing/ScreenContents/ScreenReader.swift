import BodyFormats
import Mediation

/// Reads one screen of a document, and checks its routes.
struct ScreenReader {
  /// A fault that is more than a part of the wrong form.
  struct Fault: Error {
    let kind: ScreenError.Kind
    let error: BodyDecodingError
  }

  private let decoder: ScreenDecoder
  /// Whether the document uses a later version of the vocabulary.
  private var isLater = false

  init(_ decoder: ScreenDecoder) { self.decoder = decoder }

  func screen(_ json: JSONDocument) throws -> ScreenContent {
    var reader = self
    let version = try Int(json: json["version"])
    guard version >= 1 else { throw try json["version"].mismatch("should be 1 or greater") }
    reader.isLater = version > ScreenDecoder.version
    var content = ScreenContent(
      title: try reader.text("title", of: json), blocks: try reader.blocks(json["blocks"]),
      actions: try reader.list("actions", of: json) { try reader.action($0) },
      isLoading: try json[JSONField<Bool?>("isLoading")] ?? false,
      staleness: try reader.optionalText("staleness", of: json))
    if let address = try reader.value("address", of: json) { content.address = try reader.route(address) }
    content.origin = decoder.origin
    return content
  }

  // MARK: Blocks

  private func blocks(_ json: JSONDocument) throws -> [ContentBlock] {
    try [JSONDocument](json: json).flatMap(block)
  }

  /// Returns a block, or those of its fallback.
  private func block(_ json: JSONDocument) throws -> [ContentBlock] {
    do {
      return [try known(json)]
    } catch let fault as Fault where fault.kind == .unknown {
      guard let fallback = try value("fallback", of: json) else { throw fault }
      return try blocks(fallback)
    } catch let error as BodyDecodingError where isLater {
      // A later version may have changed the block.
      guard let fallback = try value("fallback", of: json) else { throw error }
      return try blocks(fallback)
    }
  }

  private func known(_ json: JSONDocument) throws -> ContentBlock {
    switch try text("kind", of: json) {
    case "heading": return .heading(try text("text", of: json))
    case "text": return .text(try text("text", of: json))
    case "facts": return .facts(try list("facts", of: json, isRequired: true, fact))
    case "cards": return try cards(json)
    case "table":
      return .table(
        try text("caption", of: json),
        header: try list("header", of: json, isRequired: true) { try text($0) },
        rows: try list("rows", of: json, isRequired: true) { row in
          try [JSONDocument](json: row).map { try text($0) }
        })
    case "form": return .form(try action(json["action"], hasFields: true))
    case "filters": return .filters(try action(json["action"], hasFields: true))
    case "choices": return try choices(json)
    case "information":
      return .information(try text("text", of: json), action: try optionalAction("action", of: json))
    case "warning":
      return .warning(try text("text", of: json), action: try optionalAction("action", of: json))
    case "failure":
      return .failure(try text("text", of: json), action: try optionalAction("action", of: json))
    case let kind:
      guard let block = try appBlock(kind, json) else {
        throw unknown(
          try json["kind"],
          "is a kind of block that this app does not know, and the block has no fallback; "
            + "correct the kind, or give the block a \"fallback\", [] to leave it out")
      }
      return .app(block)
    }
  }

  private func cards(_ json: JSONDocument) throws -> ContentBlock {
    var ids: Set<String> = []
    let cards = try list("cards", of: json, isRequired: true) { item in
      let card = try card(item)
      guard ids.insert(card.id).inserted else {
        throw try item["id"].mismatch("is the ID of an earlier card; give each card of a list its own")
      }
      return card
    }
    let more = try optionalAction("more", of: json)
    guard let given = try value("selection", of: json) else { return .cards(cards, more: more) }
    let selection = try action(given, hasFields: true)
    guard selection.fields.count == 1 else {
      throw given.mismatch("should have one field, which receives the IDs of the cards")
    }
    let maximum = try Int(json: json["maximum"])
    guard maximum >= 1 else { throw try json["maximum"].mismatch("should be 1 or greater") }
    return .cards(cards, more: more, selection: selection, maximum: maximum)
  }

  private func card(_ json: JSONDocument) throws -> Card {
    var picture: AppBlock?
    // An unknown picture is left out, because the texts of the card are complete without it.
    if let given = try value("picture", of: json) {
      picture = try appBlock(text("kind", of: given), given)
    }
    return Card(
      id: try text("id", of: json), badge: try optionalText("badge", of: json),
      title: try text("title", of: json), facts: try list("facts", of: json, fact),
      price: try optionalText("price", of: json), note: try optionalText("note", of: json), picture: picture,
      route: try route(json["route"]), actions: try list("actions", of: json) { try action($0) },
      isMarked: try json[JSONField<Bool?>("isMarked")] ?? false)
  }

  private func choices(_ json: JSONDocument) throws -> ContentBlock {
    let options = try list("options", of: json, isRequired: true) { try action($0) }
    let selected = try json[JSONField<Int?>("selected")]
    if let selected, !options.indices.contains(selected) {
      throw try json["selected"].mismatch("should be the index of an option, or left out")
    }
    return .choices(
      try text("label", of: json), detail: try optionalText("detail", of: json), options: options,
      selected: selected)
  }

  private func fact(_ json: JSONDocument) throws -> Fact {
    Fact(
      try text("label", of: json), try text("value", of: json), unit: try optionalText("unit", of: json))
  }

  // MARK: The app's own kinds

  /// Returns content of a kind of the app; nil if the app has no such kind.
  private func appBlock(_ kind: String, _ json: JSONDocument) throws -> AppBlock? {
    guard let type = decoder.kinds[kind] else { return nil }
    let json = try json["content"]
    let content = try read(type, json)
    for action in content.actions { try check(action.route, filling: action.fields, at: json) }
    return AppBlock(content)
  }

  private func read<Content: AppContent>(_ type: Content.Type, _ json: JSONDocument) throws -> any AppContent
  {
    do {
      return try JSONCoding(maximumDepth: ScreenDecoder.maximumDepth).decode(type, from: Array(json.text))
    } catch let error as BodyDecodingError {
      throw json.mismatch("is not content of its kind: \(error.reason.dropLast())")
    } catch {
      throw json.mismatch("is not content of its kind; \(type) refuses it")
    }
  }

  // MARK: Actions

  private func optionalAction(_ key: String, of json: JSONDocument) throws -> ScreenAction? {
    try value(key, of: json).map { try action($0) }
  }

  private func action(_ json: JSONDocument, hasFields: Bool = false) throws -> ScreenAction {
    let fields = try list("fields", of: json, field)
    if !hasFields, !fields.isEmpty {
      throw try json["fields"].mismatch("is allowed in a form, in filters and in a selection only")
    }
    guard Set(fields.map(\.name)).count == fields.count else {
      throw try json["fields"].mismatch("has two fields of the same name; give each its own")
    }
    let url = try text("route", of: json)
    try check(url, filling: fields, at: json["route"])
    return ScreenAction(
      label: try text("label", of: json), route: url,
      opensScreen: try json[JSONField<Bool?>("opensScreen")] ?? false,
      sign: try optionalText("sign", of: json), fields: fields)
  }

  private func field(_ json: JSONDocument) throws -> ScreenField {
    let (name, label) = (try text("name", of: json), try text("label", of: json))
    let value = try optionalText("value", of: json) ?? ""
    switch try text("kind", of: json) {
    case "text":
      return .text(name, label: label, value: value, suggestions: try list("suggestions", of: json, fact))
    case "paragraph": return .paragraph(name, label: label, value: value)
    case "number": return .number(name, label: label, value: value)
    case "choice":
      return .choice(
        name, label: label, value: value, options: try list("options", of: json, isRequired: true, fact))
    default:
      throw unknown(
        try json["kind"],
        "is a kind of field that this app does not know, and no block around it has a "
          + "fallback; correct the kind, or give the block a \"fallback\", [] to leave it out")
    }
  }

  private func route(_ json: JSONDocument) throws -> String {
    let url = try text(json)
    try check(url, filling: [], at: json)
    return url
  }

  private func check(_ url: String, filling fields: [ScreenField], at json: JSONDocument) throws {
    do throws(RouteError) {
      try decoder.mediator.check(url, filling: fields.map(\.name), origin: decoder.origin)
    } catch {
      var reason = "\(error)"
      if reason.last == "." { reason.removeLast() }
      throw Fault(kind: .unroutable, error: json.mismatch("has a route that cannot be opened: \(reason)"))
    }
  }

  // MARK: Values

  private func unknown(_ json: JSONDocument, _ problem: String) -> Fault {
    Fault(kind: .unknown, error: json.mismatch(problem))
  }

  /// Returns the value of a key; nil if it is missing or null.
  private func value(_ key: String, of json: JSONDocument) throws -> JSONDocument? {
    try json[JSONField<JSONDocument?>(key)]
  }

  private func list<Element>(
    _ key: String, of json: JSONDocument, isRequired: Bool = false,
    _ element: (JSONDocument) throws -> Element
  ) throws -> [Element] {
    guard let list = try isRequired ? json[key] : value(key, of: json) else { return [] }
    return try [JSONDocument](json: list).map(element)
  }

  private func text(_ key: String, of json: JSONDocument) throws -> String { try text(json[key]) }

  private func optionalText(_ key: String, of json: JSONDocument) throws -> String? {
    try value(key, of: json).map { try text($0) }
  }

  /// Returns a text without control characters, by which a terminal would be controlled.
  private func text(_ json: JSONDocument) throws -> String {
    let text = try String(json: json)
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) || scalar == "\n" || scalar == "\t"
    }
    guard isPlain else { throw json.mismatch("has a control character; remove it") }
    return text
  }
}
