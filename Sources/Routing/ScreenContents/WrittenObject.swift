/// An object of a document, whose members without a value are left out.
struct WrittenObject: Encodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let members: KeyValuePairs<String, (any Encodable)?>

  init(_ members: KeyValuePairs<String, (any Encodable)?>) { self.members = members }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in members {
      if let value { try container.encode(value, forKey: Key(stringValue: key)) }
    }
  }
}

extension ScreenContent: Encodable {
  /// Writes the content as a document that ``ScreenDecoder`` reads, without its origin.
  public func encode(to encoder: any Encoder) throws {
    try WrittenObject([
      "version": ScreenDecoder.version, "title": title, "address": address, "blocks": blocks.map(\.written),
      "actions": actions.map(\.written).unlessEmpty, "isLoading": isLoading ? true : nil,
      "staleness": staleness,
    ]).encode(to: encoder)
  }
}

extension ContentBlock {
  fileprivate var written: WrittenObject {
    switch self {
    case .heading(let text): WrittenObject(["kind": "heading", "text": text])
    case .text(let text): WrittenObject(["kind": "text", "text": text])
    case .facts(let facts): WrittenObject(["kind": "facts", "facts": facts.map(\.written)])
    case .cards(let cards, let more, let selection, let maximum):
      WrittenObject([
        "kind": "cards", "cards": cards.map(\.written), "more": more?.written,
        "selection": selection?.written, "maximum": selection == nil ? nil : maximum,
      ])
    case .table(let caption, let header, let rows):
      WrittenObject(["kind": "table", "caption": caption, "header": header, "rows": rows])
    case .form(let action): WrittenObject(["kind": "form", "action": action.written])
    case .filters(let action): WrittenObject(["kind": "filters", "action": action.written])
    case .choices(let label, let detail, let options, let selected):
      WrittenObject([
        "kind": "choices", "label": label, "detail": detail, "options": options.map(\.written),
        "selected": selected,
      ])
    case .information(let text, let action): Self.notice("information", text, action)
    case .warning(let text, let action): Self.notice("warning", text, action)
    case .failure(let text, let action): Self.notice("failure", text, action)
    case .app(let block): block.written
    }
  }

  private static func notice(_ kind: String, _ text: String, _ action: ScreenAction?) -> WrittenObject {
    WrittenObject(["kind": kind, "text": text, "action": action?.written])
  }
}

extension AppBlock {
  fileprivate var written: WrittenObject {
    WrittenObject(["kind": type(of: content).kind, "content": content])
  }
}

extension Card {
  fileprivate var written: WrittenObject {
    WrittenObject([
      "id": id, "badge": badge, "title": title, "facts": facts.map(\.written).unlessEmpty, "price": price,
      "note": note, "picture": picture?.written, "route": route,
      "actions": actions.map(\.written).unlessEmpty, "isMarked": isMarked ? true : nil,
    ])
  }
}

extension Fact {
  fileprivate var written: WrittenObject {
    WrittenObject(["label": label, "value": value, "unit": unit])
  }
}

extension ScreenAction {
  fileprivate var written: WrittenObject {
    WrittenObject([
      "label": label, "route": route, "opensScreen": opensScreen ? true : nil, "sign": sign,
      "fields": fields.map(\.written).unlessEmpty,
    ])
  }
}

extension ScreenField {
  fileprivate var written: WrittenObject {
    switch self {
    case .text(let name, let label, let value, let suggestions):
      WrittenObject([
        "kind": "text", "name": name, "label": label, "value": value,
        "suggestions": suggestions.map(\.written).unlessEmpty,
      ])
    case .paragraph(let name, let label, let value):
      WrittenObject(["kind": "paragraph", "name": name, "label": label, "value": value])
    case .number(let name, let label, let value):
      WrittenObject(["kind": "number", "name": name, "label": label, "value": value])
    case .choice(let name, let label, let value, let options):
      WrittenObject([
        "kind": "choice", "name": name, "label": label, "value": value, "options": options.map(\.written),
      ])
    }
  }
}

extension Array {
  fileprivate var unlessEmpty: [Element]? { isEmpty ? nil : self }
}
