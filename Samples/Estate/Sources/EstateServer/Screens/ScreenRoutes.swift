import HTTPServing
import HTTPTypes

/// `/v1/screens/{name}`: screens as documents, which the app checks before it shows them.
struct ScreenRoutes {
  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, "/v1/screens/{name}") { request, name in
      guard let text = Self.documents[name] else { throw APIError.notFound(request) }
      return Answer(bytes: Array(text.utf8))
    }
  }

  private static let documents = ["buying": buying, "overreaching": overreaching]

  /// A later version of the app knows films; this one shows the text in its place.
  private static let buying = """
    {"version": 1, "title": "Buying a home",
     "blocks": [
       {"kind": "text", "text": "Three houses to begin with; all of them were sold years ago."},
       {"kind": "film", "name": "a-walk-through-a-house", "fallback": [
         {"kind": "information", "text": "A newer version of the app shows a walk through a house."}
       ]},
       {"kind": "cards", "cards": [
         {"id": "42", "title": "SACRAMENTO 95822", "price": "$103,000", "route": "estate://home/42",
          "picture": {"kind": "home", "content": {"kind": "house", "home": 42, "squareFeet": 1080, "beds": 3}}},
         {"id": "7", "title": "SACRAMENTO 95815", "price": "$90,895", "route": "estate://home/7"}
       ]},
       {"kind": "form", "action": {"label": "List them", "route": "estate://listings/house", "opensScreen": true,
         "fields": [
           {"kind": "text", "name": "city", "label": "City", "value": "GALT"},
           {"kind": "number", "name": "max", "label": "Price up to"}
         ]}}
     ],
     "actions": [{"label": "All condos", "route": "estate://listings/condo", "opensScreen": true}]}
    """

  /// It asks for more than pages of the server may: the app refuses all of it.
  private static let overreaching = """
    {"version": 1, "title": "You have won",
     "blocks": [
       {"kind": "warning", "text": "Confirm it at once.",
        "action": {"label": "Confirm", "route": "estate://logout"}}
     ]}
    """
}
