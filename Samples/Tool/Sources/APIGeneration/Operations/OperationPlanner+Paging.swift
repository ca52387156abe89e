extension OperationPlanner {
  /// The key of the rule by which an operation's pages follow one another.
  static let pagingKey = "x-switchyard-paging"

  /// Plans the pages of an operation by its rule.
  ///
  /// - Throws: A fault of the rule, such as a property that the response doesn't have.
  func paging(
    by rule: DocumentNode, _ params: [OperationPlan.Param], _ successes: [OperationPlan.Outcome]
  ) throws(DocumentError) -> OperationPlan.Paging {
    let known: Set<String> = ["items", "cursor", "next", "page", "offset", "size", "total"]
    if let other = rule.entries.first(where: { !known.contains($0.key) }) {
      throw DocumentError(
        other.line,
        "A rule of pages has no key \"\(other.key.prefix(40))\"; use \(known.sorted().joined(separator: ", "))."
      )
    }
    func fault(_ text: String) -> DocumentError { DocumentError(rule.line, text) }
    guard case .json(.model(let name), false)? = OperationPrinter.single(successes),
      case .structure(let output)? = schemas.declarations[name]?.kind
    else { throw fault("The response of an operation with pages is no object; remove the rule.") }
    func property(_ key: String) throws(DocumentError) -> ModelDeclaration.Property? {
      guard let text = rule[key]?.text else { return nil }
      guard let property = output.properties.first(where: { $0.key == text }) else {
        throw fault(
          "The response has no property \"\(text.prefix(60))\", which the rule of pages names; correct it.")
      }
      return property
    }
    func param(_ key: String, _ type: SwiftType) throws(DocumentError) -> String? {
      guard let text = rule[key]?.text else { return nil }
      guard let param = params.first(where: { $0.place == .query && $0.key == text }), param.type == type,
        type != .text || !param.isRequired
      else {
        let kind = type == .text ? "optional text" : "integer"
        throw fault(
          "No parameter \"\(text.prefix(60))\" of the query is an \(kind), as the rule of pages needs; correct it."
        )
      }
      return param.name
    }
    guard let items = try property("items"), case .array(.model(let item)) = items.type,
      case .structure(let structure)? = schemas.declarations[item]?.kind,
      structure.properties.contains(where: {
        $0.name == "id" && !$0.isOptional && [.text, .integer].contains($0.type)
      })
    else {
      throw fault(
        "The \"items\" of a rule of pages are a list of objects with a required property \"id\"; correct it.")
    }
    var paging = OperationPlan.Paging(
      items: items.name, areItemsOptional: items.isOptional, itemType: item,
      cursorParam: try param("cursor", .text), pageParam: try param("page", .integer),
      offsetParam: try param("offset", .integer), sizeParam: try param("size", .integer))
    let positions = [paging.cursorParam, paging.pageParam, paging.offsetParam].compactMap { $0 }
    guard positions.count == 1 else {
      throw fault("A rule of pages names one of \"cursor\", \"page\" and \"offset\"; correct it.")
    }
    if let next = try property("next") {
      guard next.type == .text else { throw fault("The \"next\" of a rule of pages is a text; correct it.") }
      paging.next = .cursor(next.name)
    } else if let total = try property("total") {
      guard total.type == .integer, !total.isOptional else {
        throw fault("The \"total\" of a rule of pages is a required integer; correct it.")
      }
      paging.next = .total(total.name)
    }
    if case .cursor = paging.next {
    } else if paging.cursorParam != nil {
      throw fault("A rule of pages with a \"cursor\" names the \"next\" one of the response; add it.")
    }
    return paging
  }
}
