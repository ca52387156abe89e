package import Mediation

/// The login; its result is whether a member is logged in afterwards.
package struct LoginRoute: ParameterlessRoute, Hashable {
  package typealias Output = Bool
  package static let pattern: RoutePattern = "estate://login"
  /// The app's own pages in a browser may show it.
  package static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  package init() {}
}

/// Ends the session; the result is whether there was one.
package struct LogoutRoute: ParameterlessRoute, Hashable {
  package typealias Output = Bool
  package static let pattern: RoutePattern = "estate://logout"
  package static let purpose = "Ends the session."

  package init() {}
}

/// Logs in if necessary and opens another URL, such as a link in a mail; the result is whether a member is
/// logged in.
package struct WelcomeRoute: Route, Codable, Hashable {
  package typealias Output = Bool
  package static let pattern: RoutePattern = "estate://welcome?next={next?}"
  /// Open to links; the next URL is opened with the permissions of the link.
  package static let exposure = Exposure.link([.scheme("estate")])
  package static let purpose = "Logs in and opens the next URL."

  package var next: String?
}

/// Makes the session's token invalid, as if it had expired, to show that the app refreshes it.
package struct ExpireSessionRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://session/expire"

  package init() {}
}

/// Makes all tokens of the session invalid, as if the server had forgotten it, to show what the app does.
package struct ForgetSessionRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://session/forget"

  package init() {}
}

/// The screen of the user's favourites; for members only.
package struct FavouritesRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://favourites"
  /// Open to links; the guard checks the membership.
  package static let exposure = Exposure.link([.scheme("estate"), .web(host: "127.0.0.1")])

  package init() {}
}

/// Adds a home to the favourites, or lets it wait until there is a network; for members only.
package struct AddFavouriteRoute: Route, Codable, Hashable {
  package typealias Output = FavouriteReceipt
  package static let pattern: RoutePattern = "estate://favourites/add/{home:int}"

  package var home: Int

  package init(home: Int) { self.home = home }
}

/// Removes a favourite that still waits for the network; the result is whether it waited.
package struct CancelFavouriteRoute: Route, Codable, Hashable {
  package typealias Output = Bool
  package static let pattern: RoutePattern = "estate://favourites/cancel/{home:int}"

  package var home: Int
}

/// Tells the server that this device visits it, and returns the number of its visits.
package struct VisitRoute: ParameterlessRoute, Hashable {
  package typealias Output = Int
  package static let pattern: RoutePattern = "estate://visit"

  package init() {}
}

/// Leaves a note about a home; a long one is sent compressed.
package struct NoteRoute: NativeRoute, Hashable {
  package typealias Output = NoteReceipt

  package var home: Int
  package var text: String

  package init(home: Int, text: String) {
    self.home = home
    self.text = text
  }
}

/// Leaves a note about a home by URL, as a form does.
package struct WriteNoteRoute: Route, Codable, Hashable {
  package typealias Output = NoteReceipt
  package static let pattern: RoutePattern = "estate://notes/{home:int}?text={text}"

  package var home: Int
  package var text: String
}
