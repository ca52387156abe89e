import AccountRoutes
import EstateNetwork
import Switchyard

/// Leads guests to the login before routes for members, and resumes the route after it.
///
/// The guard belongs to the app; the modules don't know which of their routes are for members.
struct MembersGuard: RouteGuard {
  let id = "members"
  let session: Session

  func check(_ target: RouteSummary, _ context: RouteContext) async throws -> GuardVerdict {
    let membersOnly = [FavouritesRoute.pattern, AddFavouriteRoute.pattern, CancelFavouriteRoute.pattern]
    guard let pattern = target.pattern, membersOnly.contains(pattern), session.name == nil else {
      return .proceed
    }
    return .detour(LoginRoute.pattern.text)
  }
}
