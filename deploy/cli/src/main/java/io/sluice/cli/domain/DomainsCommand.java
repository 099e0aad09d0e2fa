package io.sluice.cli.domain;

import io.sluice.cli.options.CommandGroup;
import io.sluice.cli.storage.delete.DeleteDomain;
import picocli.CommandLine.Command;

/** The commands on domains. */
@Command(
    name = "domain",
    description = "Domains: what of their documents is there, prepared, or could not be used.",
    subcommands = {DeleteDomain.class, ListDomains.class, ShowDomain.class})
public final class DomainsCommand extends CommandGroup {}
