import EstateApp
import Foundation
import RouteManifests

// Prints the manifest for `swift package route-manifest`.
exit(ManifestProgram(try EstateShell.manifest()).run(CommandLine.arguments.dropFirst()))
