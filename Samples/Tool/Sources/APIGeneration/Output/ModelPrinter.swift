/// Prints the declarations of models.
struct ModelPrinter {
  /// `public ` or nothing.
  let access: String

  func print(_ model: ModelDeclaration, to code: inout CodeWriter) {
    code.line()
    code.doc(model.doc.isEmpty ? ["The schema `\(model.name)`."] : model.doc)
    switch model.kind {
    case .alias(let type): code.line("\(access)typealias \(model.name) = \(type.code)")
    case .enumeration(let enumeration): print(enumeration, model.name, to: &code)
    case .structure(let structure): print(structure, model.name, to: &code)
    case .union(let union): print(union, model.name, to: &code)
    }
  }

  // MARK: Enumerations

  private func print(_ enumeration: ModelDeclaration.Enumeration, _ name: String, to code: inout CodeWriter) {
    let raw = enumeration.isInteger ? "Int" : "String"
    code.line("///")
    code.line("/// Values that the document doesn't name are kept.")
    code.block("\(access)struct \(name): RawRepresentable, Hashable, Codable, Sendable") { code in
      for (name, value) in enumeration.values {
        let literal = enumeration.isInteger ? value : SwiftLiteral.text(value)
        code.line("\(access)static let \(SwiftName.written(name)) = Self(rawValue: \(literal))")
      }
      code.line()
      code.line("\(access)var rawValue: \(raw)")
      code.line("\(access)init(rawValue: \(raw)) { self.rawValue = rawValue }")
    }
  }

  // MARK: Structures

  private func print(_ structure: ModelDeclaration.Structure, _ name: String, to code: inout CodeWriter) {
    code.block("\(access)struct \(name): Hashable, Codable, Sendable") { code in
      for property in structure.properties { print(property, to: &code) }
      if let additional = structure.additional {
        code.doc(["The values of other keys."])
        code.line("\(access)var additionalProperties: [String: \(additional.code)]")
      }
      code.line()
      printInit(structure, to: &code)
      if structure.needsCoding {
        printKeys(structure, isWhole: true, to: &code)
        printDecoding(structure, to: &code)
        printEncoding(structure, to: &code)
      } else if structure.properties.contains(where: { $0.key != $0.name }) {
        printKeys(structure, isWhole: false, to: &code)
      }
    }
  }

  private func print(_ property: ModelDeclaration.Property, to code: inout CodeWriter) {
    code.doc(property.doc)
    let name = SwiftName.written(property.name)
    guard property.isBoxed else { return code.line("\(access)var \(name): \(property.code)") }
    code.block("\(access)var \(name): \(property.code)") { code in
      code.line("get { \(box(property)).first }")
      code.line("set { \(box(property)) = newValue.map { [$0] } ?? [] }")
    }
    code.line("private var \(box(property)): [\(property.type.code)]")
  }

  /// The name of the list in which a structure keeps a value of its own type.
  private func box(_ property: ModelDeclaration.Property) -> String { "_\(property.name)Box" }

  private func printInit(_ structure: ModelDeclaration.Structure, to code: inout CodeWriter) {
    let sorted = structure.properties.filter { !$0.isOptional } + structure.properties.filter(\.isOptional)
    var items = sorted.map { "\(SwiftName.label($0.name)): \($0.code)\($0.isOptional ? " = nil" : "")" }
    if let additional = structure.additional {
      items.append("additionalProperties: [String: \(additional.code)] = [:]")
    }
    code.list("\(access)init", items, end: " {")
    code.indented { code in
      for property in structure.properties {
        let name = SwiftName.written(property.name)
        code.line(
          property.isBoxed ? "\(box(property)) = \(name).map { [$0] } ?? []" : "self.\(name) = \(name)")
      }
      if structure.additional != nil { code.line("self.additionalProperties = additionalProperties") }
    }
    code.line("}")
  }

  private func printKeys(_ structure: ModelDeclaration.Structure, isWhole: Bool, to code: inout CodeWriter) {
    guard !structure.properties.isEmpty else { return }
    code.line()
    code.block(
      "private enum CodingKeys: String, CodingKey\(structure.additional == nil ? "" : ", CaseIterable")"
    ) { code in
      for property in structure.properties {
        let name = SwiftName.written(property.name)
        code.line(
          "case \(name)\(property.key == property.name ? "" : " = \(SwiftLiteral.text(property.key))")")
      }
    }
  }

  private func printDecoding(_ structure: ModelDeclaration.Structure, to code: inout CodeWriter) {
    code.line()
    code.block("\(access)init(from decoder: any Decoder) throws") { code in
      if !structure.properties.isEmpty {
        code.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
      }
      for property in structure.properties {
        let name = SwiftName.written(property.name)
        if property.isBoxed {
          code.line(
            "self.\(box(property)) = try container.decodeIfPresent(\(property.type.code).self, forKey: .\(name)).map { [$0] } ?? []"
          )
        } else {
          let call = property.isOptional ? "decodeIfPresent" : "decode"
          code.line("self.\(name) = try container.\(call)(\(property.type.code).self, forKey: .\(name))")
        }
      }
      guard let additional = structure.additional else { return }
      code.line("let others = try decoder.container(keyedBy: JSONKey.self)")
      code.line("self.additionalProperties = [:]")
      let condition =
        structure.properties.isEmpty ? "" : " where CodingKeys(stringValue: key.stringValue) == nil"
      code.block("for key in others.allKeys\(condition)") { code in
        if case .optional(let inner) = additional {
          // updateValue keeps the null, which an assignment would remove.
          code.line(
            "self.additionalProperties.updateValue(try others.decodeIfPresent(\(inner.code).self, forKey: key), forKey: key.stringValue)"
          )
        } else {
          code.line(
            "self.additionalProperties[key.stringValue] = try others.decode(\(additional.code).self, forKey: key)"
          )
        }
      }
    }
  }

  private func printEncoding(_ structure: ModelDeclaration.Structure, to code: inout CodeWriter) {
    code.line()
    code.block("\(access)func encode(to encoder: any Encoder) throws") { code in
      if structure.additional != nil {
        code.line("var others = encoder.container(keyedBy: JSONKey.self)")
        code.line(
          "for (key, value) in self.additionalProperties { try others.encode(value, forKey: JSONKey(key)) }")
      }
      guard !structure.properties.isEmpty else { return }
      code.line("var container = encoder.container(keyedBy: CodingKeys.self)")
      for property in structure.properties {
        let name = SwiftName.written(property.name)
        // A required property is sent even if it is null.
        let call =
          property.isOptional && !(property.isRequired && property.isNullable) ? "encodeIfPresent" : "encode"
        code.line("try container.\(call)(self.\(name), forKey: .\(name))")
      }
    }
  }

  // MARK: Unions

  private func print(_ union: ModelDeclaration.Union, _ name: String, to code: inout CodeWriter) {
    code.block("\(access)\(union.isIndirect ? "indirect " : "")enum \(name): Hashable, Codable, Sendable") {
      code in
      for each in union.cases { code.line("case \(SwiftName.written(each.name))(\(each.type.code))") }
      code.doc(["A value that the document doesn't describe."])
      code.line("case unknown(JSON)")
      code.line()
      code.block("\(access)init(from decoder: any Decoder) throws") { code in
        if let discriminator = union.discriminator {
          printDecoding(union, discriminator, to: &code)
        } else {
          printTrials(union, to: &code)
        }
      }
      code.line()
      code.block("\(access)func encode(to encoder: any Encoder) throws") { code in
        code.line("switch self {")
        for each in union.cases {
          let head = "case .\(SwiftName.written(each.name))(let value):"
          guard each.addsDiscriminator, let key = union.discriminator, let value = each.values.first else {
            code.line("\(head) try value.encode(to: encoder)")
            continue
          }
          code.line(head)
          code.indented { code in
            code.line("var container = encoder.container(keyedBy: JSONKey.self)")
            code.line(
              "try container.encode(\(SwiftLiteral.text(value)), forKey: JSONKey(\(SwiftLiteral.text(key))))")
            code.line("try value.encode(to: encoder)")
          }
        }
        code.line("case .unknown(let value): try value.encode(to: encoder)")
        code.line("}")
      }
    }
  }

  private func printDecoding(
    _ union: ModelDeclaration.Union, _ discriminator: String, to code: inout CodeWriter
  ) {
    code.line("let container = try? decoder.container(keyedBy: JSONKey.self)")
    code.line(
      "let kind = try? container?.decode(String.self, forKey: JSONKey(\(SwiftLiteral.text(discriminator))))")
    code.line("switch kind {")
    for each in union.cases {
      let values = each.values.map { SwiftLiteral.text($0) }.joined(separator: ", ")
      code.line(
        "case \(values): self = .\(SwiftName.written(each.name))(try \(each.type.code)(from: decoder))")
    }
    code.line("default: self = .unknown(try JSON(from: decoder))")
    code.line("}")
  }

  private func printTrials(_ union: ModelDeclaration.Union, to code: inout CodeWriter) {
    let order = union.cases.enumerated().sorted {
      (rank($0.element), -$0.element.requiredCount, $0.offset) < (
        rank($1.element), -$1.element.requiredCount, $1.offset
      )
    }.map(\.element)
    // Of several objects, the one that knows all keys is meant.
    let objects = order.filter { $0.keys != nil }
    if objects.count > 1 {
      code.line(
        "let keys = (try? decoder.container(keyedBy: JSONKey.self))?.allKeys.map(\\.stringValue) ?? []")
      for each in objects {
        let keys = (each.keys ?? []).map { SwiftLiteral.text($0) }.joined(separator: ", ")
        let condition = "!keys.isEmpty, Set<String>([\(keys)]).isSuperset(of: keys), "
        printTrial(each, condition, to: &code)
      }
    }
    for each in order { printTrial(each, "", to: &code) }
    code.line("self = .unknown(try JSON(from: decoder))")
  }

  private func printTrial(_ each: ModelDeclaration.Case, _ condition: String, to code: inout CodeWriter) {
    code.block("if \(condition)let value = try? \(each.type.code)(from: decoder)") { code in
      code.line("self = .\(SwiftName.written(each.name))(value)")
      code.line("return")
    }
  }

  /// The order in which types are tried: what accepts more comes later.
  private func rank(_ each: ModelDeclaration.Case) -> Int {
    switch each.type {
    case .boolean: 0
    case .integer: 1
    case .number: 2
    case .date: 3
    case .data: 4
    case .model: each.keys == nil ? 8 : 5
    case .array: 6
    case .dictionary: 7
    case .text: 9
    case .optional, .json: 10
    }
  }
}
