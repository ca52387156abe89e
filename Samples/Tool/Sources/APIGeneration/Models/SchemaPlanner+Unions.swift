extension SchemaPlanner {
  /// Plans an object whose properties stand beside alternatives: each alternative gets the properties.
  mutating func planAlternatives(
    _ list: DocumentNode, of schema: DocumentNode, _ composition: SchemaComposition, _ name: ModelName,
    isNullable: Bool
  ) throws(DocumentError) -> PlannedType {
    let base = composition.properties.isEmpty ? nil : try without(list, schema, depth: 0)
    return try planUnion(
      list.elements, discriminator: try discriminator(beside: list, in: schema, depth: 0), base: base, name,
      schema,
      isNullable: isNullable || composition.isNullable)
  }

  private func discriminator(
    beside list: DocumentNode, in schema: DocumentNode, depth: Int
  ) throws(DocumentError) -> DocumentNode? {
    guard depth < 32 else { return nil }
    let (node, _) = try document.resolved(schema)
    if node["oneOf"] === list || node["anyOf"] === list { return node["discriminator"] }
    for part in node["allOf"]?.elements ?? [] {
      if let found = try discriminator(beside: list, in: part, depth: depth + 1) { return found }
    }
    return nil
  }

  /// Returns a schema without one of its lists of alternatives.
  private func without(
    _ list: DocumentNode, _ schema: DocumentNode, depth: Int
  ) throws(DocumentError) -> DocumentNode {
    guard depth < 32 else { return schema }
    let (node, _) = try document.resolved(schema)
    var entries: [DocumentNode.Entry] = []
    var hasChanged = false
    for entry in node.entries {
      if entry.value === list {
        hasChanged = true
      } else if entry.key == "allOf" {
        var parts: [DocumentNode] = []
        for part in entry.value.elements { parts.append(try without(list, part, depth: depth + 1)) }
        hasChanged = true
        entries.append(
          DocumentNode.Entry(
            key: "allOf", line: entry.line, value: DocumentNode(.list(parts), line: entry.line)))
      } else {
        entries.append(entry)
      }
    }
    return hasChanged ? DocumentNode(.object(entries), line: node.line) : schema
  }

  mutating func planUnion(
    _ elements: [DocumentNode], discriminator: DocumentNode?, base: DocumentNode?, _ name: ModelName,
    _ schema: DocumentNode, isNullable: Bool
  ) throws(DocumentError) -> PlannedType {
    var variants: [DocumentNode] = []
    var isNullable = isNullable
    for element in elements {
      if element["type"]?.text == "null" || element["enum"]?.elements.allSatisfy(\.isNull) == true {
        isNullable = true
      } else if !SchemaComposition.isAnnotation(element) || element.entries.isEmpty {
        variants.append(element)
      }
    }
    if variants.count == 1, base == nil, let only = variants.first {
      var planned = try planVariant(only, name)
      planned.isNullable = planned.isNullable || isNullable
      return planned
    }
    let doc = Self.doc(of: schema)
    if discriminator == nil, base == nil, let texts = try mergedTexts(variants) {
      var planned = texts.isEmpty ? PlannedType(type: .text) : declareTexts(texts, doc, name)
      planned.isNullable = isNullable
      return planned
    }
    let unique = taken(name)
    var parts: [Variant] = []
    for (index, variant) in variants.enumerated() {
      let reference = variant["$ref"]?.text
      let label =
        reference.map { Self.lastPart(of: $0) } ?? variant["title"]?.text ?? Self.label(of: variant)
        ?? "option\(index + 1)"
      var node = variant
      if let base, !(try includes(base, in: variant)) {
        let list = DocumentNode(.list([base, variant]), line: variant.line)
        node = DocumentNode(
          .object([DocumentNode.Entry(key: "allOf", line: variant.line, value: list)]), line: variant.line)
      }
      let planned = try planVariant(node, .proposed(unique + SwiftName.type(label)))
      isNullable = isNullable || planned.isNullable
      parts.append(
        Variant(
          reference: reference, label: label, type: planned.type,
          composition: try document.composition(of: node, notes: &notes)))
    }
    parts.removeAll { $0.type == .json }
    let types = Set(parts.map(\.type))
    guard let first = parts.first else { return PlannedType(type: .json, isNullable: isNullable) }
    // An exact name stands in the document, and is declared even if all alternatives have one type.
    if types.count == 1, discriminator == nil { return PlannedType(type: first.type, isNullable: isNullable) }
    let union = try union(of: parts, discriminator)
    var planned = declareUnion(union, doc, .exact(unique))
    planned.isNullable = isNullable
    return planned
  }

  /// Whether an alternative has all properties of the base anyway, because it is composed of it.
  private mutating func includes(_ base: DocumentNode, in variant: DocumentNode) throws(DocumentError) -> Bool
  {
    guard variant["$ref"] != nil, let own = try document.composition(of: base, notes: &notes),
      let composition = try document.composition(of: variant, notes: &notes)
    else { return false }
    let names = Set(composition.properties.map(\.key))
    return own.required.isSubset(of: composition.required)
      && own.properties.allSatisfy { names.contains($0.key) }
  }

  private struct Variant {
    let reference: String?
    let label: String
    let type: SwiftType
    let composition: SchemaComposition?

    var caseName: String { type.containedModel == nil ? type.caseName : SwiftName.member(label) }
  }

  /// A label for an alternative without a name.
  private static func label(of variant: DocumentNode) -> String? {
    switch variant["type"]?.text {
    case "array": "list"
    case "string" where variant["enum"] != nil: "values"
    default: nil
    }
  }

  /// Returns the values of alternatives that are all texts: none if one of them has no list of values only.
  private func mergedTexts(_ variants: [DocumentNode]) throws(DocumentError) -> [String]? {
    var values: [String] = []
    for variant in variants {
      let (node, _) = try document.resolved(variant)
      if let constant = node["const"]?.string {
        values.append(constant)
      } else if let texts = node["enum"]?.elements.filter({ !$0.isNull }) {
        guard texts.allSatisfy({ $0.string != nil }) else { return nil }
        values += texts.compactMap(\.text)
      } else {
        guard node["type"]?.text == "string", Self.textType(node["format"]?.text) == .text else { return nil }
      }
    }
    return variants.isEmpty ? nil : values
  }

  private mutating func union(
    of variants: [Variant], _ discriminator: DocumentNode?
  ) throws(DocumentError) -> ModelDeclaration.Union {
    if let discriminator, let property = discriminator["propertyName"]?.text {
      if let cases = try cases(of: variants, property, mapping: discriminator["mapping"]) {
        return ModelDeclaration.Union(discriminator: property, cases: named(cases))
      }
      notes.add(
        "the discriminator \"\(property)\" doesn't tell the alternatives apart, so their content does",
        discriminator.line)
    } else if let property = try impliedDiscriminator(of: variants),
      let cases = try cases(of: variants, property, mapping: nil)
    {
      return ModelDeclaration.Union(discriminator: property, cases: named(cases))
    }
    var seen: Set<SwiftType> = []
    let cases = variants.filter { seen.insert($0.type).inserted }.map { variant in
      ModelDeclaration.Case(
        name: variant.caseName, type: variant.type,
        keys: variant.composition.flatMap { $0.additional == nil ? $0.properties.map(\.key) : nil },
        requiredCount: variant.composition.map { composition in
          composition.properties.count { composition.required.contains($0.key) }
        } ?? 0)
    }
    return ModelDeclaration.Union(discriminator: nil, cases: named(cases))
  }

  private func named(_ cases: [ModelDeclaration.Case]) -> [ModelDeclaration.Case] {
    var scope = NameScope(reserved: ["unknown"])
    return cases.map { each in
      var copy = each
      copy.name = scope.unique(each.name)
      return copy
    }
  }

  /// Returns the property by whose one value each alternative can be told from the others.
  private func impliedDiscriminator(of variants: [Variant]) throws(DocumentError) -> String? {
    guard variants.count > 1, let first = variants.first?.composition else { return nil }
    for property in first.properties {
      var seen: Set<String> = []
      var isDistinct = true
      for variant in variants {
        guard let composition = variant.composition, composition.required.contains(property.key),
          let values = try values(of: property.key, in: composition), !values.isEmpty,
          values.allSatisfy({ seen.insert($0).inserted })
        else {
          isDistinct = false
          break
        }
      }
      if isDistinct { return property.key }
    }
    return nil
  }

  /// Returns the texts that a property may have; nil if it may have any.
  private func values(of key: String, in composition: SchemaComposition) throws(DocumentError) -> [String]? {
    guard let property = composition.properties.first(where: { $0.key == key }) else { return nil }
    let (node, _) = try document.resolved(property.schema)
    if let constant = node["const"]?.string { return [constant] }
    let values = node["enum"]?.elements ?? []
    guard !values.isEmpty, values.allSatisfy({ $0.string != nil }) else { return nil }
    return values.compactMap(\.text)
  }

  /// Returns the cases by the values of a discriminator; nil if it doesn't tell them apart.
  private func cases(
    of variants: [Variant], _ property: String, mapping: DocumentNode?
  ) throws(DocumentError) -> [ModelDeclaration.Case]? {
    var mapped: [String: [String]] = [:]
    for entry in mapping?.entries ?? [] {
      guard let target = entry.value.text else { continue }
      let isPointer = target.hasPrefix("#")
      mapped[isPointer ? target : "#/components/schemas/\(target)", default: []].append(entry.key)
    }
    var cases: [ModelDeclaration.Case] = []
    var seen: Set<String> = []
    for variant in variants {
      let isDeclared = variant.composition?.properties.contains { $0.key == property } ?? true
      var values = variant.reference.flatMap { mapped[$0] } ?? []
      if values.isEmpty, case .model(let name) = variant.type,
        case .union(let inner)? = declarations[name]?.kind
      {
        values = inner.discriminator == property ? inner.cases.flatMap(\.values) : []
      }
      if values.isEmpty, let composition = variant.composition {
        values = try self.values(of: property, in: composition) ?? []
      }
      if values.isEmpty, let reference = variant.reference { values = [Self.lastPart(of: reference)] }
      guard !values.isEmpty, values.allSatisfy({ seen.insert($0).inserted }),
        case .model(let name) = variant.type
      else { return nil }
      if case .enumeration? = declarations[name]?.kind { return nil }
      if isDeclared {
        cases.append(ModelDeclaration.Case(name: variant.caseName, type: variant.type, values: values))
      } else {
        // The value alone says which of the names was received, so each name has a case.
        for value in values {
          cases.append(
            ModelDeclaration.Case(
              name: values.count == 1 ? variant.caseName : SwiftName.member(value), type: variant.type,
              values: [value], addsDiscriminator: true))
        }
      }
    }
    return cases
  }
}
